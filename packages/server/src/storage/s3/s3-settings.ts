export interface S3Settings {
  bucket: string
  endpoint: string | null
  publicEndpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
  pathStyle: boolean
  prefix: string
}
