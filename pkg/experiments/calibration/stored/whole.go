package stored

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// whole reports what encoding/json would pass over: a field that is missing or null
// is a zero to it, and what follows the object is nothing. Written again, x has to
// say what data says.
func whole(data []byte, x any) error {
	again, err := json.Marshal(x)
	if err != nil {
		return err
	}
	var got, want any
	if err := errors.Join(json.Unmarshal(data, &got), json.Unmarshal(again, &want)); err != nil {
		return err
	}
	return differ("", got, want)
}

func differ(at string, got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		object, _ := got.(map[string]any)
		for _, name := range sorted(want) {
			if _, there := object[name]; !there {
				return fmt.Errorf("%s.%s is missing", at, name)
			}
			if err := differ(at+"."+name, object[name], want[name]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if list, ok := got.([]any); ok && len(list) == len(want) {
			for i := range want {
				if err := differ(fmt.Sprintf("%s[%d]", at, i), list[i], want[i]); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s is %v, read as %v", at, got, want)
	}
	return nil
}

func sorted(m map[string]any) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
