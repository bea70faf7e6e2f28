import { readFileSync } from 'node:fs'

/** A wrong command line, or a wrong file that it names. The message is for the user; the command exits with 2. */
export class WrongArgument extends Error {}

const fileProblems: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user has no right to it'],
  ['EPERM', 'this user has no right to it'],
  ['EROFS', 'its disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EMFILE', 'too many files are open'],
])

/** Returns why a file cannot be read or written, in words; for uncommon reasons, the error code. */
export function describeFileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return fileProblems.get(code) ?? code ?? message
}

/**
 * Reads a file that an option names.
 * @param option its name without dashes
 * @param file a path, or 0 for the standard input
 * @throws WrongArgument if the file cannot be read
 */
export function readOptionFile(option: string, file: string | 0): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const sourceName = file === 0 ? 'the standard input' : file
    throw new WrongArgument(`--${option} cannot read ${sourceName}: ${describeFileProblem(error)}.`)
  }
}
