import { nameError } from './model.ts'

/** Whether a name can be had; a wrong one is an answer, not an error. */
export type Validity =
  | { success: true }
  | { success: false; message: string; code: string; params: Record<string, string | number> }

type Asked = {
  name: string
  /** Longest name, in characters. */
  max: number
  /** What is to have it, as the message says: "scan". */
  what: string
  isTaken: (name: string) => Promise<boolean>
}

/** Whether a scan, group or preset can have that name. */
export async function validityOf({ name, max, what, isTaken }: Asked): Promise<Validity> {
  const trimmed = name.trim()
  const wrong = (code: string, message: string, params = {}): Validity => ({
    success: false,
    code,
    message,
    params,
  })
  if (trimmed.length > max) return wrong('too-long', `At most ${max} characters.`, { max })
  const bad = nameError('name', trimmed)
  if (bad?.code === 'required') return wrong('required', 'Enter a name.')
  if (bad) return wrong(bad.code, 'A name has no line breaks or other control characters.')
  if (await isTaken(trimmed)) return wrong('name-taken', `Another ${what} has this name.`, { value: trimmed })
  return { success: true }
}
