import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Endpoint } from '@clearway/contract/kit/endpoint.ts'
import type { ProductLimits } from '@clearway/contract/kit/limit.ts'
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse, type Upload, type UploadedFile } from './answer.ts'

export const noUpload: Upload = { files: [], fields: {} }

/** Text fields of one form, and characters of each. */
const fieldsAllowed = 50
const fieldBytes = 64 * 1024

/**
 * Writes the files of a form to a folder of their own, so that neither memory nor the database waits for a slow sender.
 * One file more than allowed is looked at, none after it. `clear` takes the folder away.
 */
export async function receiveFiles(
  request: FastifyRequest,
  allowed: NonNullable<Endpoint['files']>,
  limits: ProductLimits,
): Promise<{ upload: Upload; clear: () => Promise<void> } | Refusal> {
  if (!request.isMultipart())
    return refuse('unsupported-type', { detail: 'multipart/form-data is expected.' })
  const max = limits[allowed.limit]
  const folder = await mkdtemp(join(tmpdir(), 'clearway-upload-'))
  const clear = () => rm(folder, { recursive: true, force: true })
  const files: UploadedFile[] = []
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  try {
    const parts = request.parts({
      limits: {
        files: max + 1,
        fileSize: limits[allowed.bytes],
        fields: fieldsAllowed,
        fieldSize: fieldBytes,
        parts: max + 1 + fieldsAllowed,
        headerPairs: 20,
      },
    })
    for await (const part of parts) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value)
        continue
      }
      const path = join(folder, String(files.length))
      await pipeline(part.file, createWriteStream(path))
      files.push({ name: part.filename, type: part.mimetype, path, tooLarge: part.file.truncated })
      // What is too much need not be read.
      if (files.length > max) break
    }
    return { upload: { files, fields }, clear }
  } catch (error) {
    await clear()
    if ((error as { statusCode?: number }).statusCode === 413) return refuse('too-large')
    if (isBroken(error)) return refuse('bad-request', { detail: 'The form cannot be read.' })
    throw error
  }
}

/** What the reader of forms throws for a form that breaks off or has no sense. */
const isBroken = (error: unknown): boolean => {
  const { code, statusCode } = error as { code?: unknown; statusCode?: number }
  return (
    statusCode === 400 || statusCode === 406 || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === undefined
  )
}
