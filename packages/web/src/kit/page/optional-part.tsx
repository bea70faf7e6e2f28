import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'

type OptionalPartProps = {
  /** True once the screen is no use without the part. A failure then reaches the screen, which offers to reload. */
  isNeeded?: boolean
  children: ReactNode
}

const getResetKey = () => ''
const ShowNothing = () => null
const ThrowAgain = ({ error }: { error: unknown }): never => {
  throw error
}

/** Part of a screen that loads after it. Shows nothing while it loads or if it cannot be loaded; the screen stays. */
export const OptionalPart = ({ isNeeded = false, children }: OptionalPartProps) => (
  <CatchBoundary getResetKey={getResetKey} errorComponent={isNeeded ? ThrowAgain : ShowNothing}>
    <Suspense fallback={null}>{children}</Suspense>
  </CatchBoundary>
)
