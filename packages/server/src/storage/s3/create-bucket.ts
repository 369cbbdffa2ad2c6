import { CreateBucketCommand, HeadBucketCommand, PutBucketCorsCommand, S3Client } from '@aws-sdk/client-s3'
import { isMissing } from './connection-errors.ts'
import type { S3Settings } from './s3-storage.ts'

// Creates the configured bucket if it is missing, and allows our pages to upload to it: a presigned PUT from another
// origin needs the bucket's permission (CORS).

export interface CreatedBucket {
  created: boolean
  /** Null when the store has no CORS settings per bucket; its documentation describes where they are. */
  corsOrigin: string | null
}

export async function createBucket(settings: S3Settings, publicUrl: string): Promise<CreatedBucket> {
  const { bucket: Bucket, endpoint, region, pathStyle, accessKeyId, secretAccessKey } = settings
  const client = new S3Client({
    region,
    forcePathStyle: pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    ...(endpoint ? { endpoint } : {}),
  })
  try {
    const created = await exists(client, Bucket).then(async (found) => {
      if (!found) await client.send(new CreateBucketCommand({ Bucket }))
      return !found
    })
    const rule = { AllowedMethods: ['PUT'], AllowedOrigins: [publicUrl], AllowedHeaders: ['*'] }
    const CORSConfiguration = { CORSRules: [{ ...rule, MaxAgeSeconds: 3600 }] }
    const isSet = await client
      .send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }))
      .then(() => true, hasNoCors)
    return { created, corsOrigin: isSet ? publicUrl : null }
  } finally {
    client.destroy()
  }
}

const exists = (client: S3Client, Bucket: string): Promise<boolean> =>
  client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )

/** Some stores configure CORS for the whole server instead. */
function hasNoCors(error: unknown): false {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } }
  if (name === 'NotImplemented' || $metadata?.httpStatusCode === 501) return false
  throw error
}
