internal import CloserCLI

Program.main()
