package toy

import "strconv"

// A meaning is what a text is about, in no language. It fixes the direction of the
// text's vector, and nothing else does: the values are not in it, so that all
// versions of an attribute are equally like the question for it.
type meaning struct {
	topic  topic
	index  int // of an attribute, a role or a type of fact
	person int
}

type topic uint8

const (
	chat      topic = iota // nothing that anybody asks for
	attribute              // index: the user's attribute
	role                   // index: a role, whoever holds it
	holder                 // index: a role; person: who holds it
	personal               // index: a type of fact; person: whose
	twoHop                 // index: role*types + type of fact
	near                   // index: the attribute near which nothing was said
	typed                  // index: a type of fact, of whomever
	named                  // person
)

// String tells meanings apart in the names of streams.
func (m meaning) String() string {
	return strconv.Itoa(int(m.topic)) + " " + strconv.Itoa(m.index) + " " + strconv.Itoa(m.person)
}
