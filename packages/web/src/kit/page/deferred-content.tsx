import { type ReactNode, useDeferredValue } from 'react'

type DeferredContentProps = {
  /** Shown until the content is rendered. */
  placeholder: ReactNode
  children: ReactNode
}

/**
 * Content that takes long to render for the first time. React renders it in the background, in many short tasks, so that the
 * browser responds to input between them. Later renders are not deferred.
 */
export function DeferredContent({ placeholder, children }: DeferredContentProps) {
  const isRendered = useDeferredValue(true, false)
  return isRendered ? children : placeholder
}
