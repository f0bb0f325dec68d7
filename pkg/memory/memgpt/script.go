package memgpt

import (
	"context"
	"errors"
)

// ErrScript says that a scripted judge was asked more often than it has replies.
var ErrScript = errors.New("the script has ended")

// ScriptedJudge replies what it was told to, for tests and demonstrations.
type ScriptedJudge struct {
	Replies []Reply
	// Last, if set, replies when Replies have run out, however often.
	Last *Reply
	// Asked is what it was asked, of each step the event and the results.
	Asked []Context

	next int
}

// Step implements Judge.
func (j *ScriptedJudge) Step(_ context.Context, c Context) (Reply, error) {
	j.Asked = append(j.Asked, Context{Event: c.Event, Results: append([]Result(nil), c.Results...), Left: c.Left})
	if j.next < len(j.Replies) {
		j.next++
		return j.Replies[j.next-1], nil
	}
	if j.Last != nil {
		return *j.Last, nil
	}
	return Reply{}, ErrScript
}
