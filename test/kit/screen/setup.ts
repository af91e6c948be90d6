import { frameEachTest } from "./visit.tsx";

frameEachTest();
