import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { FieldFault } from './error-summary.tsx'
import type { StepState } from './stepper.tsx'

export type StepFault<Id extends string> = FieldFault & { step: Id }

export type StepsState<Id extends string> = {
  currentStepId: Id
  /** Ids of the next and the previous step; undefined at either end. */
  nextStepId: Id | undefined
  previousStepId: Id | undefined
  /** Number of attempts that found errors. Each one moves the focus to the summary. */
  attempt: number
  faults: readonly StepFault<Id>[]
  getStepState: (id: Id) => StepState
  isReachable: (id: Id) => boolean
  getFieldError: (field: string) => string | undefined
  goToStep: (id: Id) => void
  /** Opens the next step if the current one is valid. */
  continueToNext: () => void
  /** Returns true if every step is valid; otherwise opens the first invalid one. */
  validateAllSteps: () => boolean
  showServerFaults: (faults: readonly StepFault<Id>[]) => void
  clearFaults: (fields: readonly string[]) => void
  showFault: (fault: FieldFault) => void
}

type StepsOptions<Id extends string> = {
  stepOrder: readonly [Id, ...Id[]]
  findFaults: () => readonly StepFault<Id>[]
  /** Makes every step reachable at once; true for existing objects. */
  areAllStepsOpen: boolean
}

/** State of a multi-step form. The step is in the URL as `StepSearch`, so Back opens the previous step. */
export function useSteps<Id extends string>({ stepOrder, findFaults, areAllStepsOpen }: StepsOptions<Id>): StepsState<Id> {
  const requestedStep: string | undefined = useSearch({ strict: false }).step
  const navigateTo = useNavigate()
  const [visitedStepIds, setVisitedStepIds] = useState<ReadonlySet<Id>>(new Set(areAllStepsOpen ? stepOrder : [stepOrder[0]]))
  const [completedStepIds, setCompletedStepIds] = useState<ReadonlySet<Id>>(new Set(areAllStepsOpen ? stepOrder : []))
  const [lastAttempt, setLastAttempt] = useState<{ attempt: number; faults: readonly StepFault<Id>[] }>({
    attempt: 0,
    faults: [],
  })
  // A reload clears the form, so the required steps come first again.
  const currentStepId = stepOrder.find((id) => id === requestedStep && visitedStepIds.has(id)) ?? stepOrder[0]
  const currentIndex = stepOrder.indexOf(currentStepId)
  const goToStep = (stepId: Id) => {
    setCompletedStepIds(new Set([...completedStepIds, currentStepId]))
    setVisitedStepIds(new Set([...visitedStepIds, stepId]))
    const stepParam = stepId === stepOrder[0] ? '' : stepId
    void navigateTo({ to: '.', search: (previousSearch) => ({ ...previousSearch, step: stepParam }) })
  }
  const reportFaults = (faults: readonly StepFault<Id>[]) => setLastAttempt({ attempt: lastAttempt.attempt + 1, faults })
  const showServerFaults = (faults: readonly StepFault<Id>[]) => {
    reportFaults(faults)
    const [firstFault] = faults
    if (firstFault && !faults.some(({ step }) => step === currentStepId)) goToStep(firstFault.step)
  }
  return {
    currentStepId,
    nextStepId: stepOrder[currentIndex + 1],
    previousStepId: stepOrder[currentIndex - 1],
    attempt: lastAttempt.attempt,
    faults: lastAttempt.faults,
    getStepState: (id) =>
      lastAttempt.faults.some(({ step }) => step === id) ? 'wrong' : completedStepIds.has(id) ? 'done' : 'open',
    isReachable: (id) => visitedStepIds.has(id),
    getFieldError: (field) => lastAttempt.faults.find((fault) => fault.field === field)?.message,
    goToStep,
    continueToNext: () => {
      const stepFaults = findFaults().filter(({ step }) => step === currentStepId)
      const otherFaults = lastAttempt.faults.filter(({ step }) => step !== currentStepId)
      if (stepFaults.length > 0) return reportFaults([...stepFaults, ...otherFaults])
      setLastAttempt({ ...lastAttempt, faults: otherFaults })
      const nextStepId = stepOrder[currentIndex + 1]
      if (nextStepId) goToStep(nextStepId)
    },
    validateAllSteps: () => {
      const allFaults = findFaults()
      if (allFaults.length > 0) showServerFaults(allFaults)
      return allFaults.length === 0
    },
    showServerFaults,
    clearFaults: (fields) => {
      const remainingFaults = lastAttempt.faults.filter(({ field }) => !fields.includes(field))
      if (remainingFaults.length < lastAttempt.faults.length) setLastAttempt({ ...lastAttempt, faults: remainingFaults })
    },
    showFault: ({ field }) => {
      const faultStepId = lastAttempt.faults.find((fault) => fault.field === field)?.step
      if (faultStepId !== undefined && faultStepId !== currentStepId) goToStep(faultStepId)
    },
  }
}
