package costmodel

import "strings"

func readString(s string) (Model, error) { return ReadConfig(strings.NewReader(s)) }
