from klens import main

main()
