package claims

import "testing"

// Parameters were chosen for fitted rows only; those of other bases run under the
// same values, and count none.
func TestBasisTableCountsParametersWhereTheyWereChosen(t *testing.T) {
	s, err := StoredScoreboard()
	if err != nil {
		t.Fatal(err)
	}
	basis, err := s.BasisTable()
	if err != nil {
		t.Fatal(err)
	}
	last := len(basis.Columns) - 1
	want := map[string]bool{"derived": false, "fitted": true, "predicted": false, "All": true}
	for _, row := range basis.Rows {
		if some, ok := want[row[0]]; !ok || some != (row[last] != "0") {
			t.Errorf("%s: %s parameters chosen", row[0], row[last])
		}
		delete(want, row[0])
	}
	if len(want) > 0 {
		t.Errorf("no line of %v", want)
	}
}
