package playbook

import (
	"encoding/json"
	"errors"
	"fmt"
)

// stored is the JSON form: all of a playbook but its counter of tokens.
type stored struct {
	Next    int      `json:"next"` // number of the next identity, less 1
	Bullets []Bullet `json:"bullets"`
}

// MarshalJSON writes bullets with their times.
func (p *Playbook) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{p.next, p.Bullets()})
}

// UnmarshalJSON replaces the bullets. On an error, which names every bad bullet,
// the playbook is as it was.
func (p *Playbook) UnmarshalJSON(data []byte) error {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("playbook: %w", err)
	}
	n := Playbook{count: p.count}
	var problems []error
	if s.Bullets == nil {
		problems = append(problems, fail(ErrOption, `no bullets: want an object with "next" and the list "bullets", which may be empty`))
	}
	if s.Next < 0 || s.Next > maxCount {
		problems = append(problems, fail(ErrOption, "next %d: want 0 to %d", s.Next, maxCount))
	}
	for i, b := range s.Bullets {
		err := b.Check()
		if err == nil {
			_, err = n.insert(b)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("bullets[%d]: %w", i, err))
		}
	}
	if len(problems) > 0 {
		return errors.Join(append([]error{fmt.Errorf("playbook: %d problems", len(problems))}, problems...)...)
	}
	n.next = max(n.next, s.Next)
	*p = n
	return nil
}
