import { useEffect, useState } from 'react'
import type { Job } from '../src/server/jobs.js'
import { listJobs } from './api.js'
import { useLive } from './live.js'
import { siteIndex } from './site.js'

/** What this server works on and has worked on, the newest first; kept up to date by what the server tells. */
export function useJobs(): readonly Job[] {
  const { jobs: told } = useLive()
  const [before, setBefore] = useState<readonly Job[]>([])
  useEffect(() => {
    if (siteIndex === null) listJobs().then(setBefore, () => {})
  }, [])
  const known = new Map([...before, ...told.values()].map(job => [job.id, job]))
  return [...known.values()].toSorted((a, b) => b.began - a.began)
}
