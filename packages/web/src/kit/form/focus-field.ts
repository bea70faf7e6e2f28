/** Focuses the control with the given id or name and opens the `details` elements around it. Returns false if there is none. */
export function focusField(fieldName: string): boolean {
  const fieldControl = document.getElementById(fieldName) ?? document.querySelector(`[name="${CSS.escape(fieldName)}"]`)
  if (!(fieldControl instanceof HTMLElement)) return false
  let detailsElement = fieldControl.closest('details')
  while (detailsElement) {
    detailsElement.open = true
    detailsElement = detailsElement.parentElement?.closest('details') ?? null
  }
  fieldControl.focus()
  return true
}
