module memlab/binder/peers/cache/golanglru

go 1.26.0

require memlab v0.0.0

require github.com/hashicorp/golang-lru/v2 v2.0.7

replace memlab => ../../../..
