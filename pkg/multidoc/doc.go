// Package multidoc is question answering over several documents as a small
// experiment: a retriever ranks a collection, one of whose documents has the
// answer, and a reader takes as many as the context holds, or cuts them shorter to
// take more, or pages through them as MemGPT does. It is for seeing where each way
// stops to gain from further documents: at the window, at the cut, at the reader's
// patience. Its main type is [Config]; [Config.Run] gives a [Result] for each
// number of documents retrieved. A seed with 500 documents and 30 questions costs
// some 30 milliseconds, nearly all of it the index. The setting is that of Liu et
// al. (2023, arXiv 2307.03172) as MemGPT uses it (Packer et al. 2023, arXiv
// 2310.08560, section 3.2.1); ranks are computed with BM25 over synthetic texts,
// cuts cut the texts, and only the mistakes of [Rates] are drawn. It leaves out that
// a long context is read less well in its middle.
package multidoc
