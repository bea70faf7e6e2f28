import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Fault } from './error-summary.tsx'
import type { StepState } from './stepper.tsx'

export type StepFault<Id extends string> = Fault & { step: Id }

export type Steps<Id extends string> = {
  current: Id
  /** Name of the next and the previous step; undefined at an end. */
  next: Id | undefined
  back: Id | undefined
  /** Grows with each attempt that found something wrong: the summary then takes the focus. */
  attempt: number
  /** What the last attempt found. */
  faults: readonly StepFault<Id>[]
  stateOf: (id: Id) => StepState
  isReachable: (id: Id) => boolean
  /** What is wrong with a field, as the last attempt found it. */
  errorOf: (field: string) => string | undefined
  go: (id: Id) => void
  /** On to the next step when this one is right. */
  onward: () => void
  /** Whether every step is right; leads to the first wrong one. */
  finish: () => boolean
  /** What the server found wrong. */
  refuse: (faults: readonly StepFault<Id>[]) => void
  /** What was wrong with these fields is being corrected. */
  corrected: (fields: readonly string[]) => void
  /** Goes to the step of a fault. */
  show: (fault: Fault) => void
}

type Options<Id extends string> = {
  order: readonly [Id, ...Id[]]
  /** What is wrong now, on any step. */
  check: () => readonly StepFault<Id>[]
  /** Every step can be reached at once: of something that exists already. */
  open: boolean
}

/**
 * The way through the steps of a form: which is open, which are done, and what has to be corrected first. The step is
 * in the URL, as `StepSearch`: Back leads to the one before.
 */
export function useSteps<Id extends string>({ order, check, open }: Options<Id>): Steps<Id> {
  const asked: string | undefined = useSearch({ strict: false }).step
  const navigate = useNavigate()
  const [seen, setSeen] = useState<ReadonlySet<Id>>(new Set(open ? order : [order[0]]))
  const [left, setLeft] = useState<ReadonlySet<Id>>(new Set(open ? order : []))
  const [found, setFound] = useState<{ attempt: number; faults: readonly StepFault<Id>[] }>({
    attempt: 0,
    faults: [],
  })
  // After a reload nothing is filled in any more: what had to come first comes first again.
  const current = order.find((id) => id === asked && seen.has(id)) ?? order[0]
  const at = order.indexOf(current)
  const go = (id: Id) => {
    setLeft(new Set([...left, current]))
    setSeen(new Set([...seen, id]))
    const step = id === order[0] ? '' : id
    void navigate({ to: '.', search: (before) => ({ ...before, step }) })
  }
  const report = (faults: readonly StepFault<Id>[]) => setFound({ attempt: found.attempt + 1, faults })
  const refuse = (faults: readonly StepFault<Id>[]) => {
    report(faults)
    const [first] = faults
    if (first && !faults.some(({ step }) => step === current)) go(first.step)
  }
  return {
    current,
    next: order[at + 1],
    back: order[at - 1],
    attempt: found.attempt,
    faults: found.faults,
    stateOf: (id) =>
      found.faults.some(({ step }) => step === id) ? 'wrong' : left.has(id) ? 'done' : 'open',
    isReachable: (id) => seen.has(id),
    errorOf: (field) => found.faults.find((fault) => fault.field === field)?.message,
    go,
    onward: () => {
      const faults = check().filter(({ step }) => step === current)
      const others = found.faults.filter(({ step }) => step !== current)
      if (faults.length > 0) return report([...faults, ...others])
      setFound({ ...found, faults: others })
      const next = order[at + 1]
      if (next) go(next)
    },
    finish: () => {
      const faults = check()
      if (faults.length > 0) refuse(faults)
      return faults.length === 0
    },
    refuse,
    corrected: (fields) => {
      const faults = found.faults.filter(({ field }) => !fields.includes(field))
      if (faults.length < found.faults.length) setFound({ ...found, faults })
    },
    show: ({ field }) => {
      const step = found.faults.find((fault) => fault.field === field)?.step
      if (step !== undefined && step !== current) go(step)
    },
  }
}
