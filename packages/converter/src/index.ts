// The converter's whole face. What is offered (pairs, formats) is plain data: '@kiln/converter/catalog'.
export type { Engine, EngineMaker, EngineRun } from './engines/engine.ts'
export type { FontsState } from './engines/operator-fonts.ts'
export { ConversionFailed } from './failure.ts'
export {
  type Converter,
  type ConverterOptions,
  type ConvertRequest,
  openConverter,
} from './open-converter.ts'
export type { SandboxReport } from './sandbox/open-sandbox.ts'
