// Package retrieve finds texts: by the angle between vectors, by shared words,
// or by both, in English, Chinese and mixed text, without a model.
// It is for memory systems that search what they stored, and for comparing
// them under one retriever whose every score can be recomputed by hand.
// Its main types are [Embedder] (text to unit vectors: [Lexical], [LSA], or an
// [Endpoint] that the user runs), [Vectors] (exact cosine search) and [BM25];
// [Fuse] joins ranked lists of [Hit] and [Page] cuts them.
// Vectors costs about 25 ns per stored vector of 256 numbers and query (a
// hundred more without SIMD), and BM25 some ns per posting of the query's terms.
// The sources are Robertson and Zaragoza, The Probabilistic Relevance Framework
// (2009), for BM25, with Lucene's idf; Cormack et al. (SIGIR 2009) for the
// fusion; Weinberger et al. (ICML 2009) for feature hashing; Deerwester et al.
// (1990) for LSA.
//
// Indexes may be searched by several goroutines at once as long as none adds or
// removes.
package retrieve
