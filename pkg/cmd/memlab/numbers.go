package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// whole is a flag for a whole number, read as people write it: 010 is ten, not
// the octal eight that pflag would make of it.
type whole int

func wholeVar(flags *pflag.FlagSet, n *int, name, usage string) { flags.Var((*whole)(n), name, usage) }

// Set implements pflag.Value.
func (w *whole) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return errors.New("too large to count: want a whole number below 2^63")
	case err != nil:
		return errors.New("want a whole number in digits, for example 128000")
	}
	*w = whole(n)
	return nil
}

func (w *whole) String() string { return strconv.Itoa(int(*w)) }

// Type is what --help calls the value.
func (w *whole) Type() string { return "int" }

// fraction is a flag for a number that may have a fraction.
type fraction float64

func fractionVar(flags *pflag.FlagSet, x *float64, name, usage string) {
	flags.Var((*fraction)(x), name, usage)
}

// Set implements pflag.Value.
func (f *fraction) Set(text string) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return errors.New("want a number, for example 0.5")
	}
	*f = fraction(x)
	return nil
}

func (f *fraction) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

// Type is what --help calls the value.
func (f *fraction) Type() string { return "float" }
