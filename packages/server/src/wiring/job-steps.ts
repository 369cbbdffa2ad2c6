import { createAcceptUpload } from '../conversions/accept-upload.ts'
import { createDelete } from '../conversions/delete.ts'
import { createEndJob } from '../conversions/end-job.ts'
import { createNoticeUpload } from '../conversions/notice-upload.ts'
import { createRead } from '../conversions/read.ts'
import { createSubmit } from '../conversions/submit.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import type { Shared } from './open-shared.ts'
import type { OpenStorage } from './open-storage.ts'

type JobStepsParts = Pick<Shared, 'config' | 'database' | 'queue' | 'pairs' | 'log'> &
  Pick<OpenStorage, 'storage' | 'local'> & { tracing: Tracing }

/** The steps of a job that an API process performs: submit, upload, read and delete. */
export function createJobSteps({ config, local, ...parts }: JobStepsParts) {
  const endJob = createEndJob({ ...config, ...parts })
  const noticeUpload = createNoticeUpload({ ...parts, endJob })
  return {
    noticeUpload,
    submits: createSubmit({ ...config, ...parts, endJob }),
    read: createRead({ ...config, ...parts, noticeUpload }),
    deleteConversion: createDelete({ ...parts, endJob }),
    /** Null when clients upload to a bucket. */
    acceptUpload: local && createAcceptUpload({ ...parts, reserve: local.reserve }),
  }
}
