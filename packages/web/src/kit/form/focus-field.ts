/** Gives the focus to the control of a field, which has its id or its name, and opens what hides it; false where there is none. */
export function focusField(field: string): boolean {
  const control = document.getElementById(field) ?? document.querySelector(`[name="${CSS.escape(field)}"]`)
  if (!(control instanceof HTMLElement)) return false
  let folded = control.closest('details')
  while (folded) {
    folded.open = true
    folded = folded.parentElement?.closest('details') ?? null
  }
  control.focus()
  return true
}
