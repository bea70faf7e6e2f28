import * as z from 'zod/mini'
import { defaultLimits } from './limit.ts'

/** Invisible characters that only change order or width of others, and fillers. Joiners stay: scripts and emoji need them. */
const invisibleCharacters =
  /[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF\uFFA0]/g
/** Spaces that look like the common one. */
const likeSpaces = /[\u00A0\u2000-\u200A\u202F\u205F]/g

/** Returns a name in its composed form, without invisible characters and with common spaces: names that look the same are the same. */
export const normalizeName = (name: string): string =>
  name.normalize('NFC').replaceAll(invisibleCharacters, '').replaceAll(likeSpaces, ' ').trim()

/** A name of something that people create. */
export const NameText = z.string().check(z.overwrite(normalizeName), z.minLength(1), z.maxLength(defaultLimits.nameLength))
