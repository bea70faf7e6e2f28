import { type Bucket, formatBucket } from '../src/monitor/run/bucket/model.ts'

/** Text of a bucket of example.org with the given fields. */
export const buildBucketText = (fields: Partial<Bucket>): string =>
  formatBucket({
    depth: 0,
    kind: '',
    language: '',
    section: 'example.org',
    shape: '/',
    source: '',
    prior: 1,
    ...fields,
  })
