import { readFileSync } from 'node:fs'

/** A wrong command line, or a wrong file that it names. The message is for the user; the command exits with 2. */
export class WrongArgument extends Error {}

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
    throw new WrongArgument(`--${option} cannot read ${sourceName}: ${(error as NodeJS.ErrnoException).code}.`)
  }
}
