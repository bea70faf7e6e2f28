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

/** Maximum number of text fields in a form, and maximum size of each. */
const maxFields = 50
const maxFieldBytes = 64 * 1024

/**
 * Streams the files of a form to a temporary folder, so that neither memory nor the database waits for slow senders.
 * At most one file over the limit is read. `clear` removes the folder.
 */
export async function receiveFiles(
  request: FastifyRequest,
  fileLimits: NonNullable<Endpoint['files']>,
  limits: ProductLimits,
): Promise<{ upload: Upload; clear: () => Promise<void> } | Refusal> {
  if (!request.isMultipart())
    return refuse('unsupported-type', { detail: 'multipart/form-data is expected.' })
  const maxFiles = limits[fileLimits.limit]
  const uploadFolder = await mkdtemp(join(tmpdir(), 'clearway-upload-'))
  const removeFolder = () => rm(uploadFolder, { recursive: true, force: true })
  const uploadedFiles: UploadedFile[] = []
  const formFields: Record<string, string> = Object.create(null) as Record<string, string>
  try {
    const formParts = request.parts({
      limits: {
        files: maxFiles + 1,
        fileSize: limits[fileLimits.bytes],
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFiles + 1 + maxFields,
        headerPairs: 20,
      },
    })
    for await (const formPart of formParts) {
      if (formPart.type === 'field') {
        formFields[formPart.fieldname] = String(formPart.value)
        continue
      }
      const filePath = join(uploadFolder, String(uploadedFiles.length))
      await pipeline(formPart.file, createWriteStream(filePath))
      uploadedFiles.push({
        name: formPart.filename,
        type: formPart.mimetype,
        path: filePath,
        tooLarge: formPart.file.truncated,
      })
      // Further files need not be read.
      if (uploadedFiles.length > maxFiles) break
    }
    return { upload: { files: uploadedFiles, fields: formFields }, clear: removeFolder }
  } catch (error) {
    await removeFolder()
    if ((error as { statusCode?: number }).statusCode === 413) return refuse('too-large')
    if (isFormError(error)) return refuse('bad-request', { detail: 'The form cannot be read.' })
    throw error
  }
}

/** True for the errors that the parser throws for truncated or malformed forms. */
const isFormError = (error: unknown): boolean => {
  const { code, statusCode } = error as { code?: unknown; statusCode?: number }
  return (
    statusCode === 400 || statusCode === 406 || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === undefined
  )
}
