package cartridge

// Teacher is whose answers a Source gives, for an engine that finds them itself:
// either there is one for each fact, or the model reads them from its context.
type Teacher struct {
	// Mean and NegEntropy are the answers by fact, as in a Batch; facts x value
	// dims, or nothing if there is a context.
	Mean       Matrix
	NegEntropy []float32
	// Keys and Values are the document. The model answers each question with Chunk
	// facts of it in its context: those from a multiple of Chunk on, among them the
	// one asked for. Its answer is over the setup's candidates.
	Keys, Values Matrix
	Chunk        int
}

// Reads says whether answers are read from a context.
func (t *Teacher) Reads() bool { return t.Keys.Rows > 0 }

// Facts is how many there are to ask for.
func (t *Teacher) Facts() int { return max(t.Mean.Rows, t.Keys.Rows) }

// check says what is wrong with the teacher of a setup.
func (t *Teacher) check(s Setup) error {
	if !t.Reads() {
		if err := t.Mean.check("teacher's means", s.Candidates.Cols); err != nil {
			return err
		}
		if len(t.NegEntropy) != t.Mean.Rows {
			return bad("teacher's entropies: %d: want %d, one for each fact", len(t.NegEntropy), t.Mean.Rows)
		}
		return nil
	}
	if err := t.Keys.check("teacher's keys", s.KeyDim); err != nil {
		return err
	}
	if err := t.Values.check("teacher's values", s.Candidates.Cols); err != nil {
		return err
	}
	switch {
	case t.Mean.Rows > 0:
		return bad("the teacher has a context and an answer for each fact: want one of both")
	case t.Values.Rows != t.Keys.Rows:
		return bad("teacher's values: %d of %d keys: want as many", t.Values.Rows, t.Keys.Rows)
	case t.Chunk < 1:
		return bad("teacher's chunks of %d facts: want 1 or more", t.Chunk)
	}
	return checkSize("the teacher's attention", s.Batch, t.Keys.Rows)
}

// Asking is a Source whose answers an engine may find itself.
type Asking interface {
	Source
	// Teacher is whose answers Next gives, nil if an engine cannot give them.
	Teacher() *Teacher
	// Ask is Next without the answers: it leaves Mean and NegEntropy as they are.
	Ask(b *Batch) error
}
