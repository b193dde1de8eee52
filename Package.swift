// swift-tools-version: 6.0
import PackageDescription

/// Makes imports internal to their file, unless they say `package` or `public`.
let internalImports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

/// True if LIVEEDIT_OPTIMIZE is set, as the scripts do: this file then decides for each module whether it is optimised. All runtime
/// checks remain enabled. SwiftPM accepts such flags only from a root package, so packages that depend on liveedit are built as usual.
let isOptimized = Context.environment["LIVEEDIT_OPTIMIZE"] != nil

/// Flags for modules that process every pixel, or every byte of a text: these modules are optimised in debug builds too. So are their
/// tests, whose reference implementations process pixels as well.
let optimized: [SwiftSetting] =
  isOptimized
  ? [.unsafeFlags(["-O"], .when(configuration: .debug))]
  : []

/// Flags for modules and tests without long loops: optimising them would take minutes of build time and save no run time. No separate
/// job emits their modules, because that job would parse all of the sources a second time.
let unoptimized: [SwiftSetting] =
  isOptimized
  ? [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]
  : []

/// Flags for a module that mostly waits for files and SQLite: it builds faster if it is optimised for size.
let small: [SwiftSetting] = isOptimized ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : []

/// The release builds of the scripts pass `-enable-testing`, so tests can import rooms with `@testable`; other release builds don't.
let testable: [SwiftSetting] = isOptimized ? [.define("TESTABLE")] : []

/// Flags for the modules that read files. They are optimised only for Tests/Long/damage/fuzz, which runs them for hours: the tests would
/// gain less run time than the build would lose.
let isFuzzed = Context.environment["LIVEEDIT_FUZZ"] != nil
let optimizedReaders = isFuzzed ? optimized : []

/// The settings for builds by scripts/test --sanitize: the helper's memory is not limited, since the sanitizer's shadow memory would
/// count towards the limit, and every program contains the sanitizer's options.
let isSanitized = Context.environment["LIVEEDIT_SANITIZE"] != nil
let sanitized: [SwiftSetting] = isSanitized ? [.define("SANITIZED")] : []
let sanitizerOptions: [Target] =
  isSanitized ? [.target(name: "SanitizerOptions", path: "Tests/SanitizerOptions")] : []

/// The settings for a build without confinement, with which scripts/compare-builds measures the cost of confining the helper.
/// `liveedit version --verbose` reports that no confinement is in force in such a build.
let unconfined: [SwiftSetting] =
  Context.environment["LIVEEDIT_UNCONFINED"] != nil ? [.define("UNCONFINED")] : []

/// The program of Tests/Long/damage/fuzz, which links libFuzzer as its `main`. It exists only if LIVEEDIT_FUZZ is set.
let fuzzing: [Target] =
  !isFuzzed
  ? []
  : [
    .target(name: "FuzzMemory", path: "Tests/FuzzMemory"),
    .executableTarget(
      name: "liveedit-fuzz", dependencies: ["FuzzMemory", "FuzzTargets"], path: "Tests/FuzzMain"),
  ]

/// The examples, the tests and their helpers, which scripts/liveedit does not build.
let tests: [Target] =
  Context.environment["LIVEEDIT_PROGRAMS_ALONE"] != nil
  ? []
  : [
    .executableTarget(
      name: "example-false-colour", dependencies: ["LiveEdit", "RenderEngine"], path: "Examples/FalseColour"),
    .executableTarget(
      name: "example-edit-all", dependencies: ["LiveEdit"], path: "Examples/EditAll"),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: sanitized + optimized),
    .executableTarget(
      name: "failing-calls", dependencies: ["Basics", "EditLibrary", "FileSystem"], path: "Tests/FailingCalls"
    ),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Basics", "Codecs", "EditLibrary", "EditModel", "FileSystem", "LiveEdit", "RenderClient", "Workflows",
        "LivePhotoFormat", "Studio",
      ],
      path: "Tests/Fuzzing", exclude: ["Findings"], swiftSettings: optimized + testable),
    .target(name: "Attempts", path: "Tests/Attempts", linkerSettings: [.linkedLibrary("dl")]),
    .executableTarget(
      name: "attacked-helper",
      dependencies: ["Attempts", "Basics", "EditModel", "FileSystem", "RenderHelper"],
      path: "Tests/AttackedHelper"),
    .testTarget(
      name: "ConfinementTests",
      dependencies: [
        "Attempts", "EditModel", "FileSystem", "attacked-helper", "CommandLineTool", "liveedit-render",
        "TestSupport",
      ],
      swiftSettings: sanitized + unoptimized),
    .testTarget(
      name: "LanguagesTests", dependencies: ["Basics", "Languages", "TestSupport"], swiftSettings: unoptimized
    ),
    .testTarget(
      name: "EditModelTests", dependencies: ["Basics", "EditModel", "TestSupport"], swiftSettings: unoptimized
    ),
    .testTarget(
      name: "LivePhotoFormatTests", dependencies: ["Basics", "LivePhotoFormat", "EditModel", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "RenderingTests",
      dependencies: ["Basics", "Rendering", "EditModel", "CPixelKernels", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "CodecsTests", dependencies: ["Basics", "Codecs", "Rendering", "EditModel", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "MatchingTests", dependencies: ["Basics", "Matching", "Rendering", "EditModel", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "RenderEngineTests",
      dependencies: [
        "Basics", "RenderEngine", "Codecs", "LivePhotoFormat", "Rendering", "EditModel", "FileSystem",
        "TestSupport",
      ],
      swiftSettings: optimized),
    .testTarget(
      name: "FileSystemTests",
      dependencies: ["Basics", "FileSystem", "TestSupport", "failing-calls", "liveedit-render"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "EditLibraryTests",
      dependencies: ["Basics", "EditLibrary", "EditModel", "FileSystem", "TestSupport"],
      swiftSettings: unoptimized),
    .testTarget(
      name: "LiveEditTests",
      dependencies: [
        "Basics", "EmbeddedFiles", "Likeness", "LiveEdit", "RenderClient", "Workflows", "RenderEngine",
        "EditLibrary", "EditModel",
        "FileSystem",
        "liveedit-render", "TestSupport",
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Basics", "Studio", "LiveEdit", "RenderClient", "Workflows", "EditModel", "FileSystem",
        "CommandLineTool", "liveedit-render",
        "liveedit-studio", "TestSupport",
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Basics", "CommandLineTool", "liveedit-render", "liveedit-studio", "example-false-colour",
        "example-edit-all", "LiveEdit", "RenderClient", "Workflows",
        "EditModel",
        "TestSupport",
      ], swiftSettings: unoptimized),
    .testTarget(
      name: "FuzzingTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: unoptimized),
  ]

let package = Package(
  name: "liveedit",
  products: [
    .library(name: "LiveEdit", targets: ["LiveEdit"]),
    .library(name: "RenderEngine", targets: ["RenderEngine"]),
    .executable(name: "liveedit", targets: ["CommandLineTool"]),
    .executable(name: "liveedit-render", targets: ["liveedit-render"]),
    .executable(name: "liveedit-studio", targets: ["liveedit-studio"]),
  ],
  targets: [
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"])
      ]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(
      name: "CMicroHTTP", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CLinux"),
    .target(
      name: "CPixelKernels",
      cSettings: isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []),
    .target(name: "Basics", swiftSettings: optimized),
    .target(name: "CLanguages", exclude: ["de.mo", "es.mo", "it.mo", "ru.mo", "po"]),
    .target(name: "Languages", dependencies: ["Basics", "CLanguages"], swiftSettings: internalImports),
    .target(name: "EditModel", dependencies: ["Basics", "CZlib"], swiftSettings: optimizedReaders),
    .target(
      name: "LivePhotoFormat", dependencies: ["Basics", "EditModel"], swiftSettings: optimizedReaders),
    .target(
      name: "FileSystem",
      dependencies: ["Basics", "CLinux"] + sanitizerOptions.map { .target(name: $0.name) },
      swiftSettings: internalImports),
    .target(
      name: "Confinement", dependencies: ["Basics", "EditModel", "FileSystem", "CLinux", "CSeccomp"],
      swiftSettings: internalImports + sanitized + unconfined + unoptimized),
    .target(
      name: "Rendering", dependencies: ["Basics", "EditModel", "CLCMS", "CPixelKernels"],
      swiftSettings: optimized),
    .target(
      name: "Codecs",
      dependencies: [
        "Basics", "EditModel", "FileSystem", "Rendering", "CTurboJPEG", "CFFmpeg", "CPango", "CLinux",
      ],
      swiftSettings: optimized),
    .target(
      name: "Matching", dependencies: ["Basics", "EditModel", "Rendering", "CPixelKernels"],
      swiftSettings: optimized + internalImports),
    .target(
      name: "RenderEngine",
      dependencies: [
        "Basics", "LivePhotoFormat", "EditModel", "FileSystem", "Rendering", "Matching", "Codecs",
      ], swiftSettings: unoptimized),
    .target(
      name: "EditLibrary",
      dependencies: ["Basics", "EditModel", "LivePhotoFormat", "FileSystem", "CCrypto", "CSQLite"],
      swiftSettings: internalImports + small),
    // Compares pictures in pairs. If this module is unoptimised, `duplicates --similar` takes five times as long.
    .target(name: "Likeness", dependencies: ["EditModel"], swiftSettings: internalImports),
    // Clang embeds files quickly. SwiftPM's embedInCode turns them into array literals, on which Swift's optimiser spends half a minute.
    .target(name: "CEmbeddedFiles"),
    .target(name: "EmbeddedFiles", dependencies: ["CEmbeddedFiles"]),
    .target(
      name: "RenderClient", dependencies: ["Basics", "EditLibrary", "EditModel", "FileSystem"],
      swiftSettings: unoptimized),
    .target(
      name: "Workflows",
      dependencies: [
        "Basics", "EditLibrary", "EditModel", "EmbeddedFiles", "FileSystem", "Likeness", "LivePhotoFormat",
        "RenderClient",
      ],
      exclude: ["Export/Page"], swiftSettings: unoptimized),
    .target(
      name: "LiveEdit",
      dependencies: [
        "Basics", "EditLibrary", "EditModel", "FileSystem", "LivePhotoFormat", "RenderClient", "RenderEngine",
        "Workflows",
      ],
      swiftSettings: unoptimized),
    .target(
      name: "Studio",
      dependencies: [
        "Basics", "EmbeddedFiles", "Languages", "EditModel", "FileSystem", "RenderClient", "Workflows",
        "CMicroHTTP",
      ],
      exclude: ["Page"], swiftSettings: internalImports + unoptimized),
    .executableTarget(
      name: "liveedit-studio",
      dependencies: ["Basics", "Studio", "RenderClient", "Workflows", "FileSystem"]),
    .target(
      name: "RenderHelper",
      dependencies: ["Basics", "CLinux", "Confinement", "RenderEngine", "EditModel", "FileSystem"],
      swiftSettings: internalImports + unoptimized),
    .executableTarget(name: "liveedit-render", dependencies: ["RenderHelper"]),
    .executableTarget(
      name: "CommandLineTool",
      dependencies: [
        "Basics", "EditModel", "FileSystem", "Languages", "RenderClient", "Workflows",
      ],
      swiftSettings: unoptimized),
  ] + tests + fuzzing + sanitizerOptions,
  swiftLanguageModes: [.v6]
)
