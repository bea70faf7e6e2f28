import { useEffect, useState } from 'react'

/** Displayed width of an element in pixels; 0 before it is measured. */
export function useDisplayedWidth(element: HTMLElement | null): number {
  const [displayedWidth, setDisplayedWidth] = useState(0)
  useEffect(() => {
    if (!element) return
    const resizeObserver = new ResizeObserver(([entry]) => setDisplayedWidth(entry?.contentRect.width ?? 0))
    resizeObserver.observe(element)
    return () => resizeObserver.disconnect()
  }, [element])
  return displayedWidth
}
