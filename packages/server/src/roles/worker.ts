export { startWorker } from '../monitor/run/jobs.ts'
