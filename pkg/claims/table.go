package claims

import (
	"fmt"

	"memlab/pkg/table"
)

// Table formats judged rows for people: one line each, without the reasons.
func Table(judged []Judged) (table.Table, error) {
	t := table.New("", "section", "id", "lecture", "computed", "unit", "seeds", "alone", "basis", "verdict")
	for _, j := range judged {
		seeds, alone := "", ""
		if j.Seeds != nil {
			seeds = fmt.Sprint(*j.Seeds)
		}
		if j.SingleSeedShare != nil {
			alone = fmt.Sprintf("%.0f%%", 100**j.SingleSeedShare)
		}
		err := t.Add(j.Section, j.ID, j.printed(), j.computed(), j.unit(), seeds, alone, j.Basis, j.Verdict)
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// printed is the lecture's side: its number with the tolerance, or the band.
func (j Judged) printed() string {
	switch j.Judge.Rule {
	case Abs:
		return j.Lecture + " ± " + Number(*j.Tolerance)
	case Holds:
		return "holds"
	case Below, Between:
		return j.Judge.Bands[0].Text
	}
	return j.Lecture
}

func (j Judged) computed() string {
	switch {
	case j.Value == nil:
		return ""
	case j.Judge.Rule == Holds && *j.Value == 1:
		return "holds"
	case j.Judge.Rule == Holds:
		return "does not hold"
	case j.Low == nil || *j.Low == *j.High:
		return Number(*j.Value)
	}
	return fmt.Sprintf("%s [%s, %s]", Number(*j.Value), Number(*j.Low), Number(*j.High))
}

func (j Judged) unit() string {
	if j.Judge.Rule == Holds {
		return ""
	}
	return j.Unit
}
