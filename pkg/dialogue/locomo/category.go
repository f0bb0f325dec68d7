package locomo

import "memlab/pkg/dialogue"

// The categories of questions.
const (
	MultiHop    dialogue.Kind = "multi-hop"   // rests on several sessions
	Temporal    dialogue.Kind = "temporal"    // asks when
	OpenDomain  dialogue.Kind = "open-domain" // needs knowledge of the world beside the dialogue
	SingleHop   dialogue.Kind = "single-hop"
	Adversarial dialogue.Kind = "adversarial" // asks for what was not said, or of the other speaker
)

// categories is by number, from 1. The paper introduces the categories in another
// order (single-hop, multi-hop, temporal, open-domain, adversarial), and neither it
// nor the file gives the numbers: they follow from the counts (282, 321, 96, 841,
// 446), from LOCOMO's own scoring, which splits the answers of category 1 into parts
// and takes the dates of sessions for category 2, and from the questions themselves.
var categories = [...]dialogue.Kind{MultiHop, Temporal, OpenDomain, SingleHop, Adversarial}

// Kinds lists the categories in the order of their numbers, 1 to 5.
func Kinds() []dialogue.Kind { return append([]dialogue.Kind(nil), categories[:]...) }
