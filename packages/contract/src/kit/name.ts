import * as z from 'zod/mini'
import { defaultLimits } from './limit.ts'

/** Invisible characters that change nothing but the order or the width of others. Joiners stay: scripts and emoji need them. */
const invisibleCharacters = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g

/** Returns a name in its composed form, without invisible characters: names that look the same are the same. */
export const normalizeName = (name: string): string => name.normalize('NFC').replaceAll(invisibleCharacters, '').trim()

/** A name of something that people create. */
export const NameText = z.string().check(z.overwrite(normalizeName), z.minLength(1), z.maxLength(defaultLimits.nameLength))
