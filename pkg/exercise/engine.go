package exercise

import (
	"sync"

	"memlab/pkg/costmodel"
)

// machine names an engine: a model, a GPU, and how they run.
type machine struct {
	model, gpu string
	params     costmodel.Params
}

var engines sync.Map // of functions, by machine

// engine reads the model's files once: a class shares some hundred machines, and each
// question, answer and slip asks for its own again. An engine does not change.
func (m machine) engine() (*costmodel.Engine, error) {
	made, _ := engines.LoadOrStore(m, sync.OnceValues(func() (*costmodel.Engine, error) {
		model, err := costmodel.ModelByName(m.model)
		if err != nil {
			return nil, err
		}
		gpu, err := costmodel.GPUByName(m.gpu)
		if err != nil {
			return nil, err
		}
		return costmodel.NewEngine(model, gpu, m.params)
	}))
	return made.(func() (*costmodel.Engine, error))()
}

// lectureEngine is the lecture's model on its GPU.
func lectureEngine() (*costmodel.Engine, error) {
	return machine{"llama-3-8b", "h100", costmodel.DefaultParams()}.engine()
}
