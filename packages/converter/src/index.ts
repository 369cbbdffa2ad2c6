// The public interface of the converter. The catalogue (pairs, formats) is plain data: '@kiln/converter/catalog'.
export type { ConvertRequest } from './convert-file.ts'
export type { Engine, EngineMaker, EngineRun } from './engines/engine.ts'
export type { FontsState } from './engines/operator-fonts.ts'
export { ConversionFailed } from './failure.ts'
export { type Converter, type ConverterOptions, openConverter } from './open-converter.ts'
export type { SandboxReport } from './sandbox/open-sandbox.ts'
