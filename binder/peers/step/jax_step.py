"""The training step in JAX: jitted, 16 steps a call (lax.scan), its gradient by automatic differentiation."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jax.nn import logsumexp, softmax
from problem import BETA, BETA1, BETA2, EPSILON, GAMMA, RATE, STEPS, Problem, benches
from runner import serve

PER_CALL = 16


def make(problem: Problem, constant: bool):
    k, v = jnp.asarray(problem.k), jnp.asarray(problem.v)
    means, neg_entropies = map(jnp.asarray, problem.constant_targets()) if constant else (None, None)

    def teach(q, facts):
        if constant:
            return means[facts], neg_entropies[facts]
        o = softmax(BETA * q @ k.T) @ v
        logits = GAMMA * o @ v.T
        mean = softmax(logits) @ v
        return mean, GAMMA * (o * mean).sum(axis=1) - logsumexp(logits, axis=1)

    def loss(z, q, mean, neg_entropy):
        zk, zv = z
        o = softmax(BETA * q @ zk.T) @ zv
        return jnp.mean(neg_entropy + logsumexp(GAMMA * o @ v.T, axis=1) - GAMMA * (o * mean).sum(axis=1))

    def step(state, batch):
        z, m1, m2, t = state
        q, facts = batch
        mean, neg_entropy = teach(q, facts)
        now, g = jax.value_and_grad(loss)(z, q, mean, neg_entropy)
        t = t + 1
        m1 = jax.tree.map(lambda m, x: BETA1 * m + (1 - BETA1) * x, m1, g)
        m2 = jax.tree.map(lambda m, x: BETA2 * m + (1 - BETA2) * x * x, m2, g)
        by, over = RATE / (1 - BETA1**t), 1 / (1 - BETA2**t)
        z = jax.tree.map(lambda x, m, n: x - by * m / (jnp.sqrt(n * over) + EPSILON), z, m1, m2)
        return (z, m1, m2, t), now

    steps = jax.jit(lambda state, batches: jax.lax.scan(step, state, batches))
    # The batches of each call; the last one has what is left of the 200 steps.
    calls = [
        (jnp.asarray(problem.q[i : i + PER_CALL]), jnp.asarray(problem.facts[i : i + PER_CALL]))
        for i in range(0, STEPS, PER_CALL)
    ]
    start = (k[: problem.slots], v[: problem.slots])
    zeros = jax.tree.map(jnp.zeros_like, start)

    def work() -> tuple[int, float]:
        state = (start, zeros, zeros, jnp.float32(0))
        for batches in calls:
            state, losses = steps(state, batches)
        jax.block_until_ready(state)
        return STEPS, float(losses[-1])

    return work


serve("step", benches(make), {"JAX": jax.__version__})
