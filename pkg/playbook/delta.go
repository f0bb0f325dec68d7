package playbook

import "cmp"

// OpKind is what an operation does.
type OpKind string

// The operations. ACE's curator only adds; counts come from generator and
// reflector. Update writes the text in place, which keeps identity and counts.
const (
	Count  OpKind = "count"
	Update OpKind = "update"
	Remove OpKind = "remove"
	Add    OpKind = "add"
)

// Op is one operation of a delta.
type Op struct {
	Kind OpKind `json:"op"`
	// ID is the bullet; of an Add it may be empty: the playbook then numbers it.
	ID      string `json:"id,omitempty"`
	Section string `json:"section,omitempty"` // of an Add; "" is Others
	Text    string `json:"text,omitempty"`    // of an Add or Update
	// Helpful and Harmful are added to the counts.
	Helpful int `json:"helpful,omitempty"`
	Harmful int `json:"harmful,omitempty"`
}

// Delta is what one task changes.
type Delta struct {
	Task int  `json:"task"` // its number
	Ops  []Op `json:"ops"`
}

// Problem is an operation that was not applied.
type Problem struct {
	Task    int    `json:"task"`
	Op      Op     `json:"op"`
	Message string `json:"message"`
	Err     error  `json:"-"`
}

// Error names task and operation.
func (p Problem) Error() string { return p.Err.Error() }

// Unwrap gives the kind of error.
func (p Problem) Unwrap() error { return p.Err }

var rank = map[OpKind]int{Count: 0, Update: 1, Remove: 2, Add: 3}

// dated is an operation with its task.
type dated struct {
	Op
	task int
}

// compare is the order in which operations that were made in parallel are
// applied: one that does not depend on who was first. What the others refer to is
// removed after they have been applied, and what is new is referred to by none.
func (a dated) compare(b dated) int {
	return cmp.Or(
		cmp.Compare(rank[a.Kind], rank[b.Kind]), cmp.Compare(a.task, b.task),
		cmp.Compare(a.ID, b.ID), cmp.Compare(a.Section, b.Section), cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Helpful, b.Helpful), cmp.Compare(a.Harmful, b.Harmful),
	)
}
