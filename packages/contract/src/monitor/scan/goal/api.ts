import * as z from 'zod/mini'
import { defineEndpoints } from '../../../kit/endpoint.ts'
import { ScanId } from '../../../kit/id.ts'
import { Annotation, AnnotationBody, ScanGoals, ScoreTarget } from './schema.ts'

const scanParams = z.object({ id: ScanId })

export const goalApi = defineEndpoints({
  readScanGoals: {
    method: 'GET',
    path: '/scans/{id}/goals',
    permission: 'scan.see',
    summary: 'Target score of a scan, and the annotations of its trend, oldest first',
    params: scanParams,
    reply: ScanGoals,
  },
  saveScanTarget: {
    method: 'PUT',
    path: '/scans/{id}/target',
    permission: 'scan.manage',
    summary: 'Sets the score that a scan has to reach by a day',
    params: scanParams,
    body: ScoreTarget,
    reply: ScoreTarget,
  },
  deleteScanTarget: {
    method: 'DELETE',
    path: '/scans/{id}/target',
    permission: 'scan.manage',
    summary: 'Removes the target of a scan',
    params: scanParams,
    reply: { empty: true },
    status: 204,
  },
  createAnnotation: {
    method: 'POST',
    path: '/scans/{id}/annotations',
    permission: 'scan.run',
    summary: 'Adds a note to the trend of a scan, such as a release',
    params: scanParams,
    body: AnnotationBody,
    reply: Annotation,
    status: 201,
    problems: ['too-large'],
  },
  deleteAnnotation: {
    method: 'DELETE',
    path: '/scans/{id}/annotations/{annotation}',
    permission: 'scan.run',
    summary: 'Deletes a note of the trend',
    params: z.extend(scanParams, { annotation: z.uuid() }),
    reply: { empty: true },
    status: 204,
  },
})
