package cartridge

import "math"

// literal is a small problem in float64, and its loss and gradient as loops that
// follow the derivation on paper symbol by symbol. It shares no code with the
// engines: it sees the teacher's distribution t over all candidates, where they
// see its mean value and entropy.
type literal struct {
	beta, gamma float64
	q, t, c     [][]float64 // questions, teacher's distributions, candidates
	zk, zv      [][]float64
}

// attend returns the attention S of question b and what it reads, o.
func (l *literal) attend(b int) (s, o []float64) {
	s = make([]float64, len(l.zk))
	for j, key := range l.zk {
		for x, k := range key {
			s[j] += l.beta * l.q[b][x] * k
		}
	}
	softmax64(s)
	o = make([]float64, len(l.zv[0]))
	for j, value := range l.zv {
		for x, v := range value {
			o[x] += s[j] * v
		}
	}
	return s, o
}

// answer is the student's distribution over the candidates.
func (l *literal) answer(o []float64) []float64 {
	p := make([]float64, len(l.c))
	for i, candidate := range l.c {
		for x, c := range candidate {
			p[i] += l.gamma * o[x] * c
		}
	}
	softmax64(p)
	return p
}

// loss is the mean over the questions of sum_i t_i log(t_i / p_i).
func (l *literal) loss() float64 {
	var sum float64
	for b := range l.q {
		_, o := l.attend(b)
		for i, p := range l.answer(o) {
			if t := l.t[b][i]; t > 0 {
				sum += t * math.Log(t/p)
			}
		}
	}
	return sum / float64(len(l.q))
}

// gradient is by the chain rule:
//
//	dL/do_x  = Gamma/B sum_i (p_i - t_i) c_ix
//	dL/dzv_jx = sum_b S_bj dL/do_bx
//	dL/dS_j  = sum_x dL/do_x zv_jx
//	dL/ds_j  = S_j (dL/dS_j - sum_l S_l dL/dS_l)    s: the scores, Beta q zk^T
//	dL/dzk_jx = sum_b Beta dL/ds_bj q_bx
func (l *literal) gradient() (gk, gv [][]float64) {
	gk, gv = zeros(l.zk), zeros(l.zv)
	for b := range l.q {
		s, o := l.attend(b)
		do := make([]float64, len(o))
		for i, p := range l.answer(o) {
			for x := range do {
				do[x] += l.gamma / float64(len(l.q)) * (p - l.t[b][i]) * l.c[i][x]
			}
		}
		ds, mean := make([]float64, len(s)), 0.0
		for j := range s {
			for x := range do {
				gv[j][x] += s[j] * do[x]
				ds[j] += do[x] * l.zv[j][x]
			}
			mean += s[j] * ds[j]
		}
		for j := range s {
			for x := range gk[j] {
				gk[j][x] += l.beta * s[j] * (ds[j] - mean) * l.q[b][x]
			}
		}
	}
	return gk, gv
}

// differences are central ones of the loss, by each parameter.
func (l *literal) differences(h float64) (gk, gv [][]float64) {
	gk, gv = zeros(l.zk), zeros(l.zv)
	for _, pair := range [][2][][]float64{{l.zk, gk}, {l.zv, gv}} {
		for j, row := range pair[0] {
			for x, at := range row {
				row[x] = at + h
				up := l.loss()
				row[x] = at - h
				pair[1][j][x] = (up - l.loss()) / (2 * h)
				row[x] = at
			}
		}
	}
	return gk, gv
}

func zeros(like [][]float64) [][]float64 {
	out := make([][]float64, len(like))
	for i := range out {
		out[i] = make([]float64, len(like[i]))
	}
	return out
}

func softmax64(x []float64) {
	highest, sum := math.Inf(-1), 0.0
	for _, v := range x {
		highest = math.Max(highest, v)
	}
	for i, v := range x {
		x[i] = math.Exp(v - highest)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func doubles(m Matrix) [][]float64 {
	out := make([][]float64, m.Rows)
	for i := range out {
		for _, x := range m.Row(i) {
			out[i] = append(out[i], float64(x))
		}
	}
	return out
}

// teach sets t to what the model answers that has facts from to to in its context.
func (l *literal) teach(b int, c *Corpus, from, to int) {
	teacher := literal{
		beta: l.beta, gamma: l.gamma, q: l.q[b : b+1], c: l.c,
		zk: doubles(c.K.Slice(from, to)), zv: doubles(c.V.Slice(from, to)),
	}
	_, o := teacher.attend(0)
	l.t[b] = teacher.answer(o)
}
