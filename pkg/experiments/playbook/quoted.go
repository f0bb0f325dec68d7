package playbook

import "memlab/pkg/claims"

// Quoted are the numbers of a paper that a quoted row of the claims has, from
// datasets/paper_results.csv, e.g. of "collapse" or "ace-finance".
func Quoted(id string) ([]claims.PaperResult, error) {
	all, err := claims.PaperResults()
	if err != nil {
		return nil, err
	}
	var out []claims.PaperResult
	for _, r := range all {
		if r.ID == id {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, bad("%q: no paper results of this id", id)
	}
	return out, nil
}

func quoted(id, item string) (claims.PaperResult, error) {
	results, err := Quoted(id)
	if err != nil {
		return claims.PaperResult{}, err
	}
	for _, r := range results {
		if r.Item == item {
			return r, nil
		}
	}
	return claims.PaperResult{}, bad("%q: no %q among the paper results", id, item)
}
