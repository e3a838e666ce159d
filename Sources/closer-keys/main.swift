#if CommandLine
internal import CloserCLI

Program.main()
#endif
