package stored

import "fmt"

// Sensitivity says which rows one parameter alone can turn red.
type Sensitivity struct {
	Version   int    `json:"version"`
	Processor string `json:"processor"`
	// Step is how far each parameter moved, as a share of its calibrated value.
	Step        float64 `json:"step"`
	Experiments []Moved `json:"experiments"`
}

// Moved is an experiment whose free parameters were moved one by one.
type Moved struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	Seeds   int    `json:"seeds"`
	Rows    int    `json:"rows"` // that it yields
	// Red are rows that are red at the calibrated values under so few seeds;
	// they are not counted below.
	Red        []string    `json:"red"`
	Parameters []Parameter `json:"parameters"`
}

// Parameter is one parameter that was moved.
type Parameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"` // calibrated
	// Down and Up are a step to both sides, or as far as the range goes; nil where
	// it does not go anywhere.
	Down *Move `json:"down"`
	Up   *Move `json:"up"`
}

// Move is a parameter at another value.
type Move struct {
	Value float64  `json:"value"`
	Red   []string `json:"red"` // rows that are reproduced at the calibrated value and not here
}

// Pinned reports whether a step to either side turns any row red.
func (p Parameter) Pinned() bool {
	return p.Down != nil && len(p.Down.Red) > 0 || p.Up != nil && len(p.Up.Red) > 0
}

func (s *Sensitivity) check() error {
	if !(s.Step > 0 && s.Step < 1) {
		return fmt.Errorf("step %g: want a share of the value", s.Step)
	}
	for _, e := range s.Experiments {
		if len(e.Parameters) == 0 {
			return fmt.Errorf("%q: want parameters", e.Name)
		}
	}
	return checkHead(s.Version, len(s.Experiments))
}
