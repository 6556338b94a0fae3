module dev.heddle/bench

go 1.25
