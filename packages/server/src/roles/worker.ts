export { startWorker, type WorkerDeps } from '../monitor/run/jobs.ts'
