import EditModel

/// The program's version.
let programVersion = RendererBuild.current
