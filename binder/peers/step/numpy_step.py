"""The training step in numpy, with its gradient derived by hand: float32, in place, every buffer made once."""

from __future__ import annotations

import numpy as np
from problem import BETA, BETA1, BETA2, DIMS, EPSILON, GAMMA, RATE, STEPS, Problem, benches
from runner import serve


def exp_rows(x: np.ndarray, edge: np.ndarray, total: np.ndarray) -> None:
    """Replaces x by exp(x - edge), where edge is the largest number of each row, and sums the rows into total."""
    np.max(x, axis=1, keepdims=True, out=edge)
    x -= edge
    np.exp(x, out=x)
    np.sum(x, axis=1, keepdims=True, out=total)


def make(problem: Problem, constant: bool):
    batch, slots, n = problem.q.shape[1], problem.slots, len(problem.k)
    k, v = problem.k, problem.v
    kt, vt = np.ascontiguousarray(k.T), np.ascontiguousarray(v.T)
    means, neg_entropies = problem.constant_targets() if constant else (None, None)

    def new(*shape: int) -> np.ndarray:
        return np.empty(shape, np.float32)

    s, a, p, o, d, read, mean = new(batch, slots), new(batch, slots), new(batch, n), *(new(batch, DIMS) for _ in range(4))
    edge, total, agreement, neg_entropy = (new(batch, 1) for _ in range(4))
    # Keys and values, one below the other: what Adam does, it does to both at once.
    z, g, m1, m2, change, root = (new(2 * slots, DIMS) for _ in range(6))
    zk, zv, gk, gv = z[:slots], z[slots:], g[:slots], g[slots:]

    def judge(read: np.ndarray) -> None:
        """Makes p the unnormalised probabilities of the candidates for what was read; total, edge: their log sum exp."""
        np.multiply(read, np.float32(GAMMA), out=d)
        np.matmul(d, vt, out=p)
        exp_rows(p, edge, total)

    def teach(q: np.ndarray, facts: np.ndarray) -> None:
        """Fills in mean and neg_entropy."""
        if constant:
            np.take(means, facts, axis=0, out=mean)
            np.take(neg_entropies, facts, out=neg_entropy[:, 0])
            return
        np.multiply(q, np.float32(BETA), out=d)
        np.matmul(d, kt, out=p)
        exp_rows(p, edge, total)
        np.matmul(p, v, out=read)
        np.divide(read, total, out=read)
        judge(read)
        np.matmul(p, v, out=mean)
        np.divide(mean, total, out=mean)
        np.einsum("ij,ij->i", read, mean, out=neg_entropy[:, 0])
        np.multiply(neg_entropy, np.float32(GAMMA), out=neg_entropy)
        neg_entropy[:] -= edge + np.log(total)

    def gradient(q: np.ndarray) -> float:
        np.matmul(q, zk.T, out=s)
        np.multiply(s, np.float32(BETA), out=s)
        exp_rows(s, edge, total)
        np.divide(s, total, out=s)
        np.matmul(s, zv, out=o)
        judge(o)
        np.einsum("ij,ij->i", o, mean, out=agreement[:, 0])
        loss = float(np.mean(neg_entropy + edge + np.log(total) - np.float32(GAMMA) * agreement))
        np.matmul(p, v, out=d)
        np.divide(d, total, out=d)
        np.subtract(d, mean, out=d)
        np.multiply(d, np.float32(GAMMA / batch), out=d)
        np.matmul(s.T, d, out=gv)
        np.matmul(d, zv.T, out=a)
        np.einsum("ij,ij->i", a, s, out=agreement[:, 0])
        np.subtract(a, agreement, out=a)
        np.multiply(a, s, out=a)
        np.matmul(a.T, q, out=gk)
        np.multiply(gk, np.float32(BETA), out=gk)
        return loss

    def adam(step: int) -> None:
        np.multiply(m1, np.float32(BETA1), out=m1)
        np.multiply(g, np.float32(1 - BETA1), out=change)
        np.add(m1, change, out=m1)
        np.multiply(m2, np.float32(BETA2), out=m2)
        np.multiply(g, g, out=change)
        np.multiply(change, np.float32(1 - BETA2), out=change)
        np.add(m2, change, out=m2)
        np.multiply(m2, np.float32(1 / (1 - BETA2**step)), out=root)
        np.sqrt(root, out=root)
        np.add(root, np.float32(EPSILON), out=root)
        np.divide(m1, root, out=change)
        np.multiply(change, np.float32(RATE / (1 - BETA1**step)), out=change)
        np.subtract(z, change, out=z)

    def work() -> tuple[int, float]:
        zk[:], zv[:], m1[:], m2[:] = k[:slots], v[:slots], 0, 0
        loss = 0.0
        for step in range(STEPS):
            q = problem.q[step]
            teach(q, problem.facts[step])
            loss = gradient(q)
            adam(step + 1)
        return STEPS, loss

    return work


serve("step", benches(make), {"numpy": np.__version__})
