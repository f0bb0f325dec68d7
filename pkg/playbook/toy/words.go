package toy

import (
	"fmt"
	"strings"
)

// No phrase is part of another one of its list.
var kinds = []string{
	"split a bill", "book a train", "send a parcel", "export contacts", "merge two calendars", "pay a freelancer",
	"rename a playlist", "return an order", "import bank statements", "archive old mail", "share a folder",
	"renew a licence", "plan a meeting", "update an address book", "close an account", "label invoices",
	"schedule a backup", "publish a report", "move a domain", "restore a photo album",
}

var details = []string{
	"with refunds", "across two months", "in another currency", "for a large group", "without a login",
	"after a holiday", "from a shared device", "with missing names",
}

var actions = []string{
	"read every page first", "ask for a fresh token", "round at the very end", "sort by date before joining",
	"retry once then stop", "look up the owner id", "convert units up front", "compare totals on both sides",
	"drop empty rows early", "confirm with the user",
}

// Section names of the playbook.
const (
	Strategies = "STRATEGIES AND HARD RULES"
	Mistakes   = "COMMON MISTAKES"
	Cases      = "CASES"
)

// advice is what a line of a context says, as far as it can be understood.
type advice struct {
	kind, detail, action int    // -1 where the line does not say
	instance             string // of a lesson that is bound to one case
}

// phrasings of one rule, which different lessons use.
const phrasings = 3

func ruleText(kind, detail, action, phrasing int) string {
	k, d, a := kinds[kind], details[detail], actions[action]
	switch phrasing % phrasings {
	case 1:
		return fmt.Sprintf("To %s %s: %s.", k, d, a)
	case 2:
		return fmt.Sprintf("%s%s when you %s %s.", strings.ToUpper(a[:1]), a[1:], k, d)
	}
	return fmt.Sprintf("When you %s %s, %s.", k, d, a)
}

func caseText(instance string, kind, action int) string {
	return fmt.Sprintf("In case %s (to %s) the thing to do was: %s.", instance, kinds[kind], actions[action])
}

func genericText(kind int) string {
	return fmt.Sprintf("When you %s, work step by step and check the result.", kinds[kind])
}

func bareText(action int) string { return fmt.Sprintf("Always %s.", actions[action]) }

// understand reads a line. Nothing but its text counts.
func understand(line string) advice {
	a := advice{kind: mention(line, kinds), detail: mention(line, details), action: mention(strings.ToLower(line), actions)}
	if _, rest, ok := strings.Cut(line, "In case "); ok {
		a.instance, _, _ = strings.Cut(rest, " ")
	}
	return a
}

func mention(line string, phrases []string) int {
	for i, p := range phrases {
		if strings.Contains(line, p) {
			return i
		}
	}
	return -1
}
