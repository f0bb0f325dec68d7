"""The training step in PyTorch as one writes it: eager, autograd and torch.optim.Adam."""

from __future__ import annotations

import torch
from problem import BETA, BETA1, BETA2, EPSILON, GAMMA, RATE, STEPS, Problem, benches
from runner import serve


def make(problem: Problem, constant: bool):
    k, v, questions = (torch.tensor(x) for x in (problem.k, problem.v, problem.q))
    facts = torch.tensor(problem.facts, dtype=torch.int64)
    means, neg_entropies = map(torch.tensor, problem.constant_targets()) if constant else (None, None)

    def teach(q, asked):
        if constant:
            return means[asked], neg_entropies[asked]
        with torch.no_grad():
            o = torch.softmax(BETA * q @ k.T, dim=1) @ v
            logits = GAMMA * o @ v.T
            mean = torch.softmax(logits, dim=1) @ v
            return mean, GAMMA * (o * mean).sum(dim=1) - torch.logsumexp(logits, dim=1)

    def work() -> tuple[int, float]:
        zk, zv = (x[: problem.slots].clone().requires_grad_() for x in (k, v))
        adam = torch.optim.Adam([zk, zv], lr=RATE, betas=(BETA1, BETA2), eps=EPSILON, fused=True)
        for q, asked in zip(questions, facts):
            mean, neg_entropy = teach(q, asked)
            o = torch.softmax(BETA * q @ zk.T, dim=1) @ zv
            loss = (neg_entropy + torch.logsumexp(GAMMA * o @ v.T, dim=1) - GAMMA * (o * mean).sum(dim=1)).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
        return STEPS, loss.item()

    return work


torch.set_num_threads(1)
serve("step", benches(make), {"PyTorch": torch.__version__})
