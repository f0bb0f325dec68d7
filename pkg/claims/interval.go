package claims

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the coverage of every interval of this package.
const Confidence = 0.95

// Interval is the mean over seeds with its 95% interval:
// mean ± t(n-1) x standard deviation / sqrt(n), n-1 degrees of freedom (Student).
// It takes the seeds as independent draws whose mean is about normal. One value
// has no interval: low and high are the value itself. The mean of nothing is NaN.
func Interval(values []float64) (mean, low, high float64) {
	n := len(values)
	if n == 1 {
		return values[0], values[0], values[0]
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	if n == 0 {
		return mean, mean, mean
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(1 - (1-Confidence)/2)
	half := t * deviation / math.Sqrt(float64(n))
	return mean, mean - half, mean + half
}

// Mean is a mean over seeds with its 95% interval, as Interval gives it.
type Mean struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// MeanOf is the mean of values with its interval.
func MeanOf(values []float64) (m Mean) {
	m.Mean, m.Low, m.High = Interval(values)
	return m
}

// ShareOf is MeanOf of shares, with the interval cut to 0 to 1.
func ShareOf(values []float64) Mean {
	m := MeanOf(values)
	m.Low, m.High = max(0, m.Low), min(1, m.High)
	return m
}
